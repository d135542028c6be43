! SPDX-License-Identifier: BSD-3-Clause
! marks_fortran - names its times by omphwc.f90, which is compiled before it.
include 'omphwc.f90'

program marks_fortran
	use omphwc
	implicit none

	call omphwc_begin('solve  ')
	call omphwc_mark('converged')
	call omphwc_end('solve')
	print '(a)', 'over'
end program
