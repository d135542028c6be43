! SPDX-License-Identifier: BSD-3-Clause
! tracks - the tracks of particles, as a list in the order of their numbers.
!
! tracks [PARTICLES]
program tracks
	implicit none
	integer :: n = 3000, i, unit
	real(8) :: at
	real(8), allocatable :: list(:)
	character(32) :: word

	if (command_argument_count() > 0) then
		call get_command_argument(1, word)
		read (word, *) n
	end if
	allocate (list(n))
	open (newunit=unit, file='/dev/null', action='write')
#ifdef MENDED
	!$omp parallel do schedule(dynamic, 10) private(at)
	do i = 1, n
		at = track(i)
		list(i) = at
	end do
	do i = 1, n
		call put(list(i))
	end do
#else
	!$omp parallel do ordered schedule(dynamic, 10) private(at)
	do i = 1, n
		!$omp ordered ! here
		at = track(i)
		call put(at)
		!$omp end ordered
		list(i) = at
	end do
#endif
	close (unit)
	print '(a, f14.6)', 'sum ', sum(list)

contains

	real(8) function track(i) result(at)
		integer, intent(in) :: i
		integer :: step

		at = i
		do step = 1, 8000
			at = at + 0.01d0 * sin(at)
		end do
	end function

	subroutine put(at)
		real(8), intent(in) :: at

		write (unit, '(f14.6)') at
	end subroutine
end program
