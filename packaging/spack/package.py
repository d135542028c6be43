# SPDX-License-Identifier: BSD-3-Clause
# Spack's recipe (Spack 1.0 and later): put it into a repository of yours (`spack repo create') as
# packages/omphwc/package.py, set git to where your clone is, and `spack install omphwc'; or build
# the clone itself by `spack develop' or `spack dev-build omphwc@main'.
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Omphwc(AutotoolsPackage):
    """Profiles OpenMP programs with hardware counters, in the program's own terms."""

    homepage = "https://omphwc.invalid"
    git = "https://omphwc.invalid/omphwc.git"

    maintainers("omphwc")

    license("BSD-3-Clause", checked_by="omphwc")

    version("main", branch="main")
    version("1.0.0", tag="v1.0.0")

    variant("view", default=True, description="Build `ompcount view' and `top' (ncurses)")
    variant("stack", default=True, description="Build `ompcount stack' (libunwind)")
    variant("pprof", default=True, description="Write pprof's format")
    variant("mpi", default=False, description="Build ompcount-mpi, which merges profiles")

    depends_on("c", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("libtool", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libpfm4", type=("build", "run"))
    depends_on("elfutils@0.180:")
    depends_on("json-c@0.13:")
    depends_on("ncurses", when="+view")
    depends_on("libunwind", when="+stack")
    depends_on("mpi", when="+mpi")
    depends_on("protobuf-c@1.3:", when="+pprof")
    depends_on("zlib-api", when="+pprof")

    conflicts("platform=darwin", msg="perf_event_open is Linux's")
    conflicts("platform=windows", msg="perf_event_open is Linux's")
    conflicts("platform=freebsd", msg="perf_event_open is Linux's")
    conflicts("target=ppc64le:", msg="x86-64, arm64 and riscv64 only")

    def configure_args(self):
        if self.spec.satisfies("+mpi"):
            return [f"--with-mpi={self.spec['mpi'].mpicc}"]
        return ["--without-mpi"]

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        # ompcount opens libpfm4 by its name; Spack's is not where the loader looks.
        env.prepend_path("LD_LIBRARY_PATH", self.spec["libpfm4"].prefix.lib)

    def test_library(self):
        """ompcount finds the library that it loads into programs"""
        ompcount = which(self.prefix.bin.ompcount)
        out = ompcount("--library-path", output=str.split, error=str.split)
        assert "libomphwc.so" in out
