# Spack's recipe: put this file into a repository as packages/omphwc/package.py, and build a
# clone with `spack dev-build omphwc@main'.
from spack.package import *


class Omphwc(AutotoolsPackage):
    """Profiles OpenMP programs with hardware counters, in the program's own terms."""

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("view", default=True, description="Build `ompcount view' and `top' (ncurses)")
    variant("pprof", default=True, description="Write pprof's format")

    variant("mpi", default=False, description="Build ompcount-mpi, which merges profiles")

    depends_on("c", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libpfm4")
    depends_on("elfutils@0.180:")
    depends_on("json-c@0.13:")
    depends_on("ncurses", when="+view")
    depends_on("mpi", when="+mpi")
    depends_on("protobuf-c@1.3:", when="+pprof")
    depends_on("zlib-api", when="+pprof")

    conflicts("platform=darwin", msg="perf_event_open is Linux's")
    conflicts("platform=windows", msg="perf_event_open is Linux's")

    def configure_args(self):
        return [f"--with-mpi={self.spec['mpi'].mpicc}" if "+mpi" in self.spec else "--without-mpi"]

    def setup_run_environment(self, env):
        # Spack's libpfm4 is not where the loader looks; ompcount opens it by name.
        env.prepend_path("LD_LIBRARY_PATH", self.spec["libpfm4"].prefix.lib)
