import { queryOptions } from '@tanstack/react-query'
import type { ClassDetails } from '../../../src/contract/classes.ts'
import { call } from '../app/client.ts'

/** The states of classes as a list shows them. */
export type ListedState = 'active' | 'inactive' | 'archived'

/** The classes of the user in one state, newest first. */
export const classesQuery = (state: ListedState) =>
  queryOptions({
    queryKey: ['classes', 'list', state],
    queryFn: () => call('listClasses', { query: { state } }),
  })

export const classQuery = (id: string) =>
  queryOptions({
    queryKey: ['classes', id],
    queryFn: () => call('getClass', { params: { class: id } }),
  })

/** The members of a group, by name. */
export const groupMembersQuery = (group: string) =>
  queryOptions({
    queryKey: ['groups', group, 'users'],
    queryFn: () => call('listGroupUsers', { params: { group } }),
  })

/** The subgroups of the students of a class, by name. A student gets only the own ones. */
export const subGroupsQuery = (classroom: string) =>
  queryOptions({
    queryKey: ['groups', 'of-class', classroom],
    queryFn: () => call('listGroups', { query: { type: 'classStudentsSubGroup', classroom } }),
  })

/** The assignments of a class, newest first. A student gets the published ones with the own submission. */
export const assignmentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['classes', id, 'assignments'],
    queryFn: () => call('listAssignments', { params: { class: id } }),
  })

/**
 * Whether the user manages the class: as one of its teachers, or as an administrator. Only these receive the enrolment code, so
 * the answer follows from the operation that decides.
 */
export const managesClass = ({ enrollmentCode }: ClassDetails): boolean => enrollmentCode !== undefined

/** One assignment: for a teacher with all submissions, for a student with the own one. */
export const assignmentQuery = (id: string, assignment: string) =>
  queryOptions({
    queryKey: ['classes', id, 'assignments', assignment],
    queryFn: () => call('getAssignment', { params: { class: id, assignment } }),
  })
