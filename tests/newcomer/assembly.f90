! SPDX-License-Identifier: BSD-3-Clause
! assembly - the energy of a body's blocks, a task each.
!
! assembly [BLOCKS]
program assembly
	implicit none
	integer :: nblocks = 1000, b
	real(8), allocatable :: energy(:)
	real(8) :: total
	character(32) :: word

	if (command_argument_count() > 0) then
		call get_command_argument(1, word)
		read (word, *) nblocks
	end if
	allocate (energy(nblocks))
	total = 0
	!$omp parallel
	!$omp single
	do b = 1, nblocks
#ifdef MENDED
		!$omp task firstprivate(b) shared(energy) depend(out: energy(b))
		energy(b) = energy_of(b)
		!$omp end task
#else
		!$omp task firstprivate(b) shared(total) depend(inout: total) ! here
		total = total + energy_of(b)
		!$omp end task
#endif
	end do
	!$omp end single
	!$omp end parallel
#ifdef MENDED
	total = sum(energy)
#endif
	print '(a, es14.6)', 'energy ', total

contains

	real(8) function energy_of(b) result(sum)
		integer, intent(in) :: b
		integer :: i

		sum = 0
		do i = 1, 60000
			sum = sum + sin(b * 0.1d0 + i * 0.001d0)**2
		end do
	end function
end program
