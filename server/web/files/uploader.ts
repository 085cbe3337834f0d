/** Who uploads, so that a file is taken only from whoever was allowed to send it. */
import { sessionUploader } from '../../../runtime/data/query/upload-host.ts'

export interface Uploader {
  /** What a file is given out to; one of these suffices to take it. */
  readonly names: readonly string[]
  /** Whether it imports data: then addresses of files are stored as they are. */
  readonly imports: boolean
  /** The names for a file that is about to be sent. Starts a session when there is none. */
  begin(): readonly string[]
}

export const NOBODY: Uploader = { names: [], imports: false, begin: () => [] }

/** A request, a job or a program, as far as it tells who uploads. */
export interface UploaderSource {
  readonly session: {
    readonly user: { readonly id: string } | null
    readonly knownId: string | null
    id(): string
  } | null
  readonly job: {
    /** Absent for a migration. */
    readonly id?: string
    readonly origin: { readonly user: string | null; readonly uploader?: string | null }
  } | null
  /** The token of a program. */
  readonly bearer?: { readonly id: string | null; readonly scope: string } | null
}

/** The migrations of a site and programs with the scope admin import; others upload. */
export function uploaderOf({ session, job, bearer }: UploaderSource): Uploader {
  if (bearer !== undefined && bearer !== null) {
    const names = [`token ${bearer.id ?? ''}`]
    return { names, imports: bearer.scope === 'admin', begin: () => names }
  }
  if (job !== null) {
    const { user, uploader = null } = job.origin
    const names = [...(uploader === null ? [] : [uploader]), ...namesOfUser(user)]
    return { names, imports: job.id === undefined, begin: () => names }
  }
  if (session === null) return NOBODY
  return {
    get names() {
      const id = session.knownId
      return [...(id === null ? [] : [sessionUploader(id)]), ...namesOfUser(session.user?.id ?? null)]
    },
    imports: false,
    begin: () => [sessionUploader(session.id()), ...namesOfUser(session.user?.id ?? null)],
  }
}

function namesOfUser(id: string | null): readonly string[] {
  return id === null ? [] : [`user ${id}`]
}
