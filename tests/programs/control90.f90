! SPDX-License-Identifier: BSD-3-Clause
! control90 - controls the tool from Fortran; prints what each call of omp_control_tool gave.
module phases
  use omp_lib, only: omp_get_wtime
  implicit none
  real(8) :: seconds = 0.3d0
contains
  subroutine crunch(x)
    real(8), intent(inout) :: x
    real(8) :: until
    integer :: i
    until = omp_get_wtime() + seconds
    do while (omp_get_wtime() < until)
      do i = 1, 2000
        x = x * 0.999d0 + 0.5d0
      end do
    end do
  end subroutine crunch

  subroutine started(x)
    real(8), intent(inout) :: x
    call crunch(x)
    x = x + 1
  end subroutine started

  subroutine paused(x)
    real(8), intent(inout) :: x
    call crunch(x)
    x = x + 1
  end subroutine paused

  subroutine started_again(x)
    real(8), intent(inout) :: x
    call crunch(x)
    x = x + 1
  end subroutine started_again

  subroutine ended(x)
    real(8), intent(inout) :: x
    call crunch(x)
    x = x + 1
  end subroutine ended
end module phases

program control90
  use phases
  implicit none
  interface
    ! Of OpenMP 5.0, which this compiler's omp_lib may lack.
    integer function omp_control_tool(command, modifier, arg)
      integer(4), intent(in) :: command, modifier
      integer(8), intent(inout) :: arg
    end function omp_control_tool
  end interface
  integer(8) :: arg = 0
  real(8) :: x = 0
  !$omp parallel num_threads(2)
  !$omp end parallel
  call started(x)
  print '(a, i0)', 'pause ', omp_control_tool(2, 0, arg)
  call paused(x)
  print '(a, i0)', 'start ', omp_control_tool(1, 0, arg)
  call started_again(x)
  print '(a, i0)', 'unknown ', omp_control_tool(63, 0, arg)
  print '(a, i0)', 'end ', omp_control_tool(4, 0, arg)
  call ended(x)
  if (x < 0) print *, x
end program control90
