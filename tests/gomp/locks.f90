! SPDX-License-Identifier: BSD-3-Clause
! locks.f90 - Fortran's locks, which are entry points of their own.
program locks
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest
  integer :: n, i, j
  n = 0
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
!$omp parallel num_threads(3)
  call omp_set_lock(lock)
  n = n + 1
  call omp_unset_lock(lock)
  call omp_set_nest_lock(nest)
  call omp_set_nest_lock(nest)
  n = n + 1
  call omp_unset_nest_lock(nest)
  call omp_unset_nest_lock(nest)
!$omp barrier
  if (omp_test_lock(lock)) call omp_unset_lock(lock)
!$omp do schedule(dynamic) reduction(+:n) collapse(2)
  do i = 1, 10
    do j = 1, 10
      n = n + i
    end do
  end do
!$omp end parallel
  print *, n > 550
end program
