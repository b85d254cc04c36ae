import { type Host, HostError, type HostMessage, type StartHost } from './host.ts'

/** A job, and the caller whose turn it was when the job was taken. */
export interface Assignment<Task> {
  readonly task: Task
  readonly caller: string
}

/** A host of a pool. */
export interface Member<Task> {
  readonly host: Host
  isReady: boolean
  jobsDone: number
  /** The job that runs, or that runs when the host is ready, because another host broke on it. */
  assignment: Assignment<Task> | undefined
  startedAt: number
  /** Limits the start, the job or the idle time. */
  timer: NodeJS.Timeout | undefined
  /** The host that replaces this one, which serves until the other is ready. */
  successor: Member<Task> | undefined
}

export interface HostSetOptions<Task> {
  startHost: StartHost
  /** The maximum number of hosts, without those that replace others. */
  size: number
  /** Milliseconds for a host to start. */
  startLimit: number
  /** Jobs after which a host is replaced, because engines leak memory. */
  recycleAfter: number
  /** Resident memory in bytes above which a host is replaced between two jobs. */
  recycleAbove: number
  /** Milliseconds without a job after which a host is ended. */
  idleLimit: number | undefined
  /** The number of hosts that stay when they are idle. */
  kept: number
  /** Milliseconds after which a spare host is started while all have jobs. */
  spareAfter: number | undefined
  /** Called when a host can take a job. */
  onReady(member: Member<Task>): void
  onMessage(member: Member<Task>, message: Exclude<HostMessage, { kind: 'ready' }>): void
  /** Called when a host has ended by itself, after it was removed. */
  onEnd(member: Member<Task>, error: HostError): void
}

/**
 * The hosts of a pool from their start to their end. A host that is worn out is replaced without a gap: starting one takes as
 * long as many jobs, so it serves until the other is ready.
 */
export interface HostSet<Task> {
  readonly members: ReadonlySet<Member<Task>>
  /**
   * Starts a host.
   * @param retry the first job of the host
   * @throws if the system cannot start one
   */
  start(retry?: Assignment<Task>): Member<Task>
  /** Notes that a host has no job. Ends it after its time, unless it is to stay. */
  idle(member: Member<Task>): void
  /**
   * Counts a job that is done, and replaces the host when it is worn out.
   * @param memory resident memory in bytes
   */
  finish(member: Member<Task>, memory: number): void
  /** Called when jobs were assigned. Starts a spare host if all hosts have jobs for the time in the options. */
  planSpare(): void
  /** Ends a host immediately. */
  end(member: Member<Task>): void
  /** Ends all hosts. */
  close(): void
}

export function clearTimer(member: Member<never> | Member<unknown>): void {
  clearTimeout(member.timer)
  member.timer = undefined
}

export function hostSet<Task>({
  startHost,
  size,
  startLimit,
  recycleAfter,
  recycleAbove,
  idleLimit,
  kept,
  spareAfter,
  onReady,
  onMessage,
  onEnd,
}: HostSetOptions<Task>): HostSet<Task> {
  const members = new Set<Member<Task>>()
  /** Runs while all hosts have jobs. */
  let spareTimer: NodeJS.Timeout | undefined

  function start(retry?: Assignment<Task>): Member<Task> {
    const host = startHost({
      onMessage: (message) => (message.kind === 'ready' ? handleReady(member) : onMessage(member, message)),
      onEnd: (error) => handleEnd(member, error),
    })
    const member: Member<Task> = {
      host,
      isReady: false,
      jobsDone: 0,
      assignment: retry,
      startedAt: performance.now(),
      timer: undefined,
      successor: undefined,
    }
    member.timer = setTimeout(() => {
      host.kill()
      handleEnd(member, new HostError(`It was not ready after ${startLimit} ms.`))
    }, startLimit)
    members.add(member)
    return member
  }

  function handleReady(member: Member<Task>): void {
    member.isReady = true
    clearTimer(member)
    for (const other of members) if (other.successor === member && !other.assignment) end(other)
    onReady(member)
  }

  function handleEnd(member: Member<Task>, error: HostError): void {
    members.delete(member)
    clearTimer(member)
    // The worn host stays, and is replaced after its next job.
    for (const other of members) if (other.successor === member) other.successor = undefined
    onEnd(member, error)
  }

  function end(member: Member<Task>): void {
    members.delete(member)
    clearTimer(member)
    member.host.kill()
  }

  function idle(member: Member<Task>): void {
    member.host.hold(false)
    if (idleLimit === undefined || member.timer) return
    member.timer = setTimeout(() => {
      member.timer = undefined
      if (members.size <= kept) return
      if (isOnlyFree(member)) idle(member)
      else end(member)
    }, idleLimit).unref()
  }

  /** Whether all other hosts have a job, so that the next caller would have to wait for another one to start. */
  const isOnlyFree = (member: Member<Task>) =>
    members.size > 1 && [...members].every((other) => other === member || other.assignment)

  const canUseSpare = () =>
    members.size > 0 && members.size < size && [...members].every(({ assignment }) => assignment)

  function startSpare(): void {
    spareTimer = undefined
    if (canUseSpare()) tryStart()
  }

  /** Starts a host that no job waits for. If the system cannot start one, the others go on. */
  function tryStart(): Member<Task> | undefined {
    try {
      return start()
    } catch {
      return undefined
    }
  }

  return {
    members,
    start,
    idle,
    end,
    finish(member, memory) {
      member.jobsDone++
      if (member.successor) {
        if (member.successor.isReady) end(member)
        return
      }
      if (member.jobsDone < recycleAfter && memory <= recycleAbove) return
      member.successor = tryStart()
    },
    planSpare() {
      if (spareAfter === undefined) return
      if (canUseSpare()) {
        spareTimer ??= setTimeout(startSpare, spareAfter).unref()
      } else {
        clearTimeout(spareTimer)
        spareTimer = undefined
      }
    },
    close() {
      clearTimeout(spareTimer)
      for (const member of members) end(member)
    },
  }
}
