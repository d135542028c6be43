! SPDX-License-Identifier: BSD-3-Clause
! rods - how the temperatures of many thin rods even out.
!
! rods [STEPS]
program rods
	implicit none
	integer, parameter :: nrods = 16, cells = 800
	integer :: steps = 2000, r
	real(8) :: warm(0:cells + 1, nrods)
	character(32) :: word

	if (command_argument_count() > 0) then
		call get_command_argument(1, word)
		read (word, *) steps
	end if
	warm = 0
	warm(cells / 2, :) = 1000
#ifdef MENDED
	!$omp parallel do schedule(dynamic)
#endif
	do r = 1, nrods
		call cool(warm(:, r), steps)
	end do
	print '(a, f14.6)', 'warmest ', maxval(warm)

contains

	subroutine cool(t, steps)
		real(8), intent(inout) :: t(0:)
		integer, intent(in) :: steps
		real(8) :: after(size(t))
		integer :: step

		do step = 1, steps
			call cool_once(t, after)
			t(1:cells) = after(1:cells)
		end do
	end subroutine

	subroutine cool_once(t, after)
		real(8), intent(in) :: t(0:)
		real(8), intent(out) :: after(:)
		integer :: i

#ifndef MENDED
		!$omp parallel do ! here
#endif
		do i = 1, cells
			after(i) = t(i) + 0.25d0 * (t(i - 1) - 2 * t(i) + t(i + 1)) - 1d-7 * t(i)**1.25d0
		end do
	end subroutine
end program
