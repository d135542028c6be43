! SPDX-License-Identifier: BSD-3-Clause
! basin - the height of water in a basin, which flows to where it is lower.
!
! basin [SIDE [STEPS]]
program basin
	implicit none
	integer :: side = 4000, steps = 6, step
	real(8), allocatable :: height(:, :), after(:, :)
	character(32) :: word

	if (command_argument_count() > 0) then
		call get_command_argument(1, word)
		read (word, *) side
	end if
	if (command_argument_count() > 1) then
		call get_command_argument(2, word)
		read (word, *) steps
	end if
	allocate (height(side, side), after(side, side))
	call fill(height, after)
	do step = 1, steps / 2
		call flow(height, after)
		call flow(after, height)
	end do
	print '(a, f14.3)', 'water ', sum(height)

contains

	subroutine fill(a, b)
		real(8), intent(out) :: a(:, :), b(:, :)
		integer :: i, j

#ifdef MENDED
		!$omp parallel do private(i) schedule(static)
#endif
		do j = 1, size(a, 2)
			do i = 1, size(a, 1)
				a(i, j) = mod(i * 7 + j * 13, 101) * 0.01d0 ! here
				b(i, j) = 0
			end do
		end do
	end subroutine

	subroutine flow(from, to)
		real(8), intent(in) :: from(:, :)
		real(8), intent(inout) :: to(:, :)
		integer :: i, j, n

		n = size(from, 1)
		!$omp parallel do private(i) schedule(static)
		do j = 2, size(from, 2) - 1
			do i = 2, n - 1
				to(i, j) = 0.6d0 * from(i, j) + 0.1d0 * (from(i - 1, j) + from(i + 1, j) &
					+ from(i, j - 1) + from(i, j + 1))
			end do
		end do
	end subroutine
end program
