! SPDX-License-Identifier: BSD-3-Clause
! directives90 - regions, loops and tasks by gfortran.  Comments name their directives.
module work_of
  implicit none
  real(8), volatile :: sink = 0d0
contains
  subroutine work()
    integer :: i
    real(8) :: x
    x = 1d0
    do i = 1, 40000
      x = x * 0.999d0 + 0.5d0
      if (x < 0d0) sink = x
    end do
    sink = x
  end subroutine work

  subroutine region(n)
    integer, intent(in) :: n
    sink = n
    !$omp parallel num_threads(2) ! region
    if (n > 0) call work()
    !$omp end parallel
    sink = n + 1
  end subroutine region

  subroutine loop_static(n)
    integer, intent(in) :: n
    integer :: i
    sink = n
    !$omp parallel do schedule(static) num_threads(2) ! loop_static
    do i = 1, n
      call work()
    end do
    !$omp end parallel do
    sink = n + 1
  end subroutine loop_static

  subroutine in_task(n)
    integer, intent(in) :: n
    integer :: i
    sink = n
    !$omp parallel num_threads(2) ! task_region
    !$omp single
    do i = 1, n
      sink = i
      !$omp task ! in_task
      call work()
      !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    sink = n + 1
  end subroutine in_task
end module work_of

program directives
  use work_of
  implicit none
  integer :: k, n
  n = 8
  do k = 1, 150
    call region(n)
    call loop_static(n)
    call in_task(n)
  end do
  print *, 'done'
end program directives
