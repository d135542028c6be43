! SPDX-License-Identifier: BSD-3-Clause
! inlined90.f90 - as inlined.c, in Fortran: and a subroutine that is nothing but a region.
!
! inlined90: 20 ms each, of CPU time
module work
  implicit none
  real(8) :: sink = 0
contains
  subroutine burn(ms)
    integer, intent(in) :: ms
    real(8) :: now, end, x
    integer :: i
    call cpu_ns(now)
    end = now + ms
    x = sink
    do while (now < end)
      do i = 1, 1000
        x = x * 0.999d0 + i
      end do
      call cpu_ns(now)
    end do
    sink = x
  end subroutine
  subroutine cpu_ns(ms)
    use iso_c_binding
    real(8), intent(out) :: ms
    integer(c_long) :: t(2)
    interface
      integer(c_int) function clock_gettime(clock, t) bind(c)
        import
        integer(c_int), value :: clock
        integer(c_long) :: t(2)
      end function
    end interface
    integer(c_int) :: ignored
    ignored = clock_gettime(3_c_int, t)
    ms = t(1) * 1d3 + t(2) * 1d-6
  end subroutine
  subroutine first(a)
    real(8), intent(inout) :: a(:)
    real(8) :: s
    integer :: i
    s = 0
    !$omp parallel do reduction(+:s) num_threads(2)
    do i = 1, size(a)
      s = s + sqrt(a(i))
    end do
    a(1) = s / size(a)
  end subroutine
  subroutine second(a)
    real(8), intent(inout) :: a(:)
    integer :: i
    !$omp parallel do schedule(dynamic,1000) num_threads(2)
    do i = 1, size(a)
      a(i) = exp(-a(i)) + sin(a(i))
    end do
  end subroutine
end module
program inlined
  use work
  implicit none
  real(8) :: a(200000)
  integer :: i
  !$omp parallel num_threads(2)
  call burn(20)
  !$omp do
  do i = 1, 4
    call burn(20)
  end do
  !$omp end do
  !$omp sections
  !$omp section
  call burn(20)
  !$omp section
  call burn(20)
  !$omp end sections
  !$omp single
  call burn(20)
  !$omp end single
  !$omp single
  !$omp task
  call burn(20)
  !$omp end task
  !$omp end single
  !$omp end parallel
  a = 1
  do i = 1, 20
    call first(a)
    call second(a)
  end do
  print '(a)', 'row inlined 64 85 1 parallel'
  print '(a)', 'row inlined 66 70 2 for schedule(static)'
  print '(a)', 'row inlined 71 76 2 sections'
  print '(a)', 'row inlined 77 79 1 single'
  print '(a)', 'row inlined 81 83 1 task'
  if (a(3) == 5) print *, a(7)
end program
