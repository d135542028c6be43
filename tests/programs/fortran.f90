! SPDX-License-Identifier: BSD-3-Clause
! fortran - a region in a module's subroutine, called by the main program.
module grid
  implicit none
contains
  subroutine kernel(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i, k
    do k = 1, 40
      do i = 2, n - 1
        x(i) = 0.25d0 * (x(i - 1) + 2d0 * x(i) + x(i + 1))
      end do
    end do
  end subroutine kernel

  subroutine sweep(a, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: a(n, m)
    integer :: j
    !$omp parallel do schedule(static)
    do j = 1, m
      call kernel(a(:, j), n)
    end do
    !$omp end parallel do
  end subroutine sweep
end module grid

program heat
  use grid
  implicit none
  integer, parameter :: n = 2000, m = 64
  real(8) :: a(n, m)
  character(len=32) :: arg
  integer :: i, step, steps
  steps = 60
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) steps
  end if
  do step = 1, m
    a(:, step) = [(1d0 + mod(i * step, 7), i = 1, n)]
  end do
  do step = 1, steps
    call sweep(a, n, m)
  end do
  print '(a, es16.8)', 'sum ', sum(a)
end program heat
