#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In the place of the Check suites, where Check is not installed.
echo "no Check here: its suites, tests/unit, are not built (./bootstrap --tests installs it)"
exit 77
