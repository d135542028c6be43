! SPDX-License-Identifier: BSD-3-Clause
! bodies - the potential of bodies that attract each other; each pair is counted once.
!
! bodies [BODIES]
program bodies
	implicit none
	integer :: n = 16000, i
	real(8), allocatable :: at(:, :)
	character(32) :: word

	if (command_argument_count() > 0) then
		call get_command_argument(1, word)
		read (word, *) n
	end if
	allocate (at(3, n))
	do i = 1, n
		at(:, i) = [mod(i * 17, 1009), mod(i * 31, 997), mod(i * 57, 1013)] + i * 1d-6
	end do
	print '(a, f16.6)', 'potential ', potential(at)

contains

	real(8) function potential(at) result(sum)
		real(8), intent(in) :: at(:, :)
		integer :: i, k

		sum = 0
#ifdef MENDED
		!$omp parallel do private(k) reduction(+:sum) schedule(dynamic, 100)
#else
		!$omp parallel do private(k) reduction(+:sum) ! here
#endif
		do i = 1, size(at, 2)
			do k = i + 1, size(at, 2)
				sum = sum - 1 / sqrt((at(1, i) - at(1, k))**2 + (at(2, i) - at(2, k))**2 &
					+ (at(3, i) - at(3, k))**2)
			end do
		end do
	end function
end program
