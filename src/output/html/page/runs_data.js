/* runs_data.js - what the page of comparisons shows: JSON as its schema in doc/ describes it. */

export const runs = JSON.parse(document.getElementById("data").textContent);
