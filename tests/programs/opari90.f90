! SPDX-License-Identifier: BSD-3-Clause
! opari90 - a region with a loop and a critical section, with the calls that OPARI2 puts around
! them in Fortran. It prints `done'.

subroutine pomp2_init_reg_1()
	implicit none
	integer(kind=8) :: region_1, region_2, region_3, region_4
	common /cb1/ region_1, region_2, region_3, region_4
	character(len=999), parameter :: ctc_1 = &
		"64*regionType=parallel*sscl=sim.f90:10:11*escl=sim.f90:30:30**"
	character(len=999), parameter :: ctc_2 = &
		"64*regionType=do*sscl=sim.f90:12:12*escl=sim.f90:16:16*hasSchedule=static**"
	character(len=999), parameter :: ctc_3 = &
		"64*regionType=critical*sscl=sim.f90:18:18*escl=sim.f90:20:20*criticalName=queue**"

	call pomp2_assign_handle(region_1, ctc_1)
	call pomp2_assign_handle(region_2, ctc_2)
	call pomp2_assign_handle(region_3, ctc_3)
end subroutine

program opari90
	implicit none
	integer(kind=8) :: region_1, region_2, region_3, region_4
	common /cb1/ region_1, region_2, region_3, region_4
	character(len=999), parameter :: ctc_1 = ' ', ctc_2 = ' ', ctc_3 = ' '
	character(len=999), parameter :: ctc_4 = &
		"64*regionType=task*sscl=sim.f90:22:22*escl=sim.f90:24:24**"
	integer(kind=4), external :: pomp2_lib_get_max_threads
	integer(kind=8) :: pomp2_old_task, pomp2_new_task
	logical :: pomp2_if
	integer(kind=4) :: pomp2_num_threads
	integer :: i, total

	total = 0
	pomp2_num_threads = pomp2_lib_get_max_threads()
	pomp2_if = .true.
	call pomp2_parallel_fork(region_1, pomp2_if, pomp2_num_threads, pomp2_old_task, ctc_1)
	!$omp parallel firstprivate(pomp2_old_task) private(pomp2_new_task) &
	!$omp num_threads(pomp2_num_threads)
	call pomp2_parallel_begin(region_1)
	call pomp2_do_enter(region_2, ctc_2)
	!$omp do schedule(static)
	do i = 1, 10
		call pomp2_critical_enter(region_3, ctc_3)
		!$omp critical (queue)
		call pomp2_critical_begin(region_3)
		total = total + i
		call pomp2_critical_end(region_3)
		!$omp end critical (queue)
		call pomp2_critical_exit(region_3)
	end do
	!$omp end do nowait
	call pomp2_implicit_barrier_enter(region_2, pomp2_old_task)
	!$omp barrier
	call pomp2_implicit_barrier_exit(region_2, pomp2_old_task)
	call pomp2_do_exit(region_2)
	!$omp master
	call pomp2_task_create_begin(region_4, pomp2_new_task, pomp2_old_task, pomp2_if, ctc_4)
	!$omp task firstprivate(pomp2_new_task)
	call pomp2_task_begin(region_4, pomp2_new_task)
	!$omp atomic
	total = total + 1
	call pomp2_task_end(region_4)
	!$omp end task
	call pomp2_task_create_end(region_4, pomp2_old_task)
	!$omp end master
	call pomp2_implicit_barrier_enter(region_1, pomp2_old_task)
	!$omp barrier
	call pomp2_implicit_barrier_exit(region_1, pomp2_old_task)
	call pomp2_parallel_end(region_1)
	!$omp end parallel
	call pomp2_parallel_join(region_1, pomp2_old_task)
	if (total == 56) print '(a)', 'done'
end program

! What OPARI2 writes of all files.
subroutine init_regions() bind(c, name='POMP2_Init_regions')
	call pomp2_init_reg_1()
end subroutine
