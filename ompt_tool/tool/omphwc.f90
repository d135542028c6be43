! SPDX-License-Identifier: BSD-3-Clause
!
! omphwc.f90 - names for times of a program, in its profile: omphwc.h for Fortran.
!
! Compile it with the program. Nothing is linked (before glibc 2.34: -ldl). Where libomphwc.so is
! not loaded, each call tests a pointer. Trailing blanks are no part of a name.
!
!   use omphwc
!   call omphwc_begin('solve')
!   call omphwc_end('solve')
!   call omphwc_mark('converged')

module omphwc
	use, intrinsic :: iso_c_binding
	implicit none
	private
	public :: omphwc_mark, omphwc_begin, omphwc_end

	! Commands of omp_control_tool.
	integer(c_int), parameter, public :: omphwc_command_mark = 64, omphwc_command_begin = 65, &
		omphwc_command_end = 66

	abstract interface
		subroutine phase(command, name) bind(c)
			import :: c_int, c_char
			integer(c_int), value :: command
			character(kind=c_char), intent(in) :: name(*)
		end subroutine
	end interface

	interface
		type(c_funptr) function find(handle, name) bind(c, name='dlsym')
			import :: c_funptr, c_ptr, c_char
			type(c_ptr), value :: handle
			character(kind=c_char), intent(in) :: name(*)
		end function
	end interface

	! The library's function. Threads that look for it at once find the same.
	logical, save :: looked = .false.
	procedure(phase), pointer, save :: found => null()

contains

	subroutine look()
		type(c_funptr) :: f

		f = find(c_null_ptr, 'omphwc_phase'//c_null_char)
		if (c_associated(f)) call c_f_procpointer(f, found)
		looked = .true.
	end subroutine

	subroutine tell(command, name)
		integer(c_int), intent(in) :: command
		character(*), intent(in) :: name

		if (.not. looked) call look()
		if (associated(found)) call found(command, trim(name)//c_null_char)
	end subroutine

	subroutine omphwc_mark(name)
		character(*), intent(in) :: name

		call tell(omphwc_command_mark, name)
	end subroutine

	subroutine omphwc_begin(name)
		character(*), intent(in) :: name

		call tell(omphwc_command_begin, name)
	end subroutine

	subroutine omphwc_end(name)
		character(*), intent(in) :: name

		call tell(omphwc_command_end, name)
	end subroutine

end module
