/** Changes of the site's files by mutations: what a mutation asks for, and what comes back. */
import { type Problem, QueryError, RUN } from './problem.ts'
import type { SiteFacts } from './site-facts.ts'

/** Why a change is refused that does not come from a client with a token. */
export const CLIENTS_ONLY =
  'Only clients of `/api/graph` with a token of the scope deploy or admin change files of the site, on a server that `ingot serve --instance` runs.'

/** The types of deployed files that mutations change, as in the names of the mutations. */
export const CHANGED_TYPES = [
  'page',
  'liquid_partial',
  'liquid_layout',
  'graphql',
  'authorization_policy',
  'email_notification',
  'sms_notification',
  'api_call_notification',
  'table',
  'model_schema',
  'user_profile_schema',
  'asset',
  'form',
  'property',
] as const
export type ChangedType = (typeof CHANGED_TYPES)[number]

/** A new file, the changed settings of files, or the removal of files. */
export const CHANGE_ACTIONS = ['create', 'update', 'delete'] as const
export type ChangeAction = (typeof CHANGE_ACTIONS)[number]

/** A change of files of one type. */
export interface SiteChange {
  readonly type: ChangedType
  readonly action: ChangeAction
  /**
   * The files that are changed or removed, as paths below the root of the site, or as clients write them. Empty for a new file, whose path is one of the
   * values.
   */
  readonly files: readonly string[]
  /** Whether the files have matched a filter. Those that are gone meanwhile are then left out. */
  readonly isMatch: boolean
  /** The arguments of the mutation: settings by the names of its input, in which null removes a setting. Ids are replaced by names. */
  readonly values: Readonly<Record<string, unknown>>
  /** The property of a file that is changed or removed; null when the whole file is. */
  readonly property: string | null
}

/** A call of a mutation. */
export interface SiteChangeCall {
  readonly change: SiteChange
  /**
   * Returns the value of the field.
   * @param site the site after the change
   * @param files the paths of the changed files; for removed files the paths that they had
   */
  read(site: SiteFacts, files: readonly string[]): Promise<unknown>
}

/** The site after changes. */
export interface ChangedSite {
  readonly site: SiteFacts
  /** The paths of the changed files of each change. */
  readonly files: readonly (readonly string[])[]
}

/** Thrown when changes are refused. Nothing was changed. */
export class SiteChangeError extends QueryError {
  /** The index of the change that was refused; null when it is unknown. */
  readonly change: number | null

  constructor(message: string, change: number | null, details: Problem['details'] = {}) {
    super([{ code: 'value', message, range: null, hint: null, details, mistake: RUN }])
    this.change = change
  }
}
