/** What the rooms of submitting forms hand to each other: whose form is sent, what for, and what became of it. */
import type { FieldChanges } from '../../runtime/data/forms/index.ts'
import type { FormErrors, FormState, StoredResource } from '../../runtime/data/forms/model.ts'
import type { Services } from '../../runtime/page/services.ts'
import type { Catalog } from '../../runtime/data/query/model.ts'
import type { FormEntry, Setting } from '../../runtime/page/site.ts'
import type { Files } from '../files/model.ts'
import type { Reply } from '../http/message.ts'
import type { SiteHost } from '../site/host.ts'

/** What submitting asks of the process. One for each site that is loaded. */
export interface FormParts {
  readonly host: SiteHost
  readonly catalog: Catalog
  /** Null where nothing keeps files: forms that are sent some then refuse them. */
  readonly files: Files | null
  readonly challenge: Services['challenge']
  readonly hashPassword: (plain: string) => Promise<string>
  readonly signIn: SignIn
}

/** Checks an address and a password, from a visitor's address. Takes the same time whether there is such a user. */
export type SignIn = (
  email: string,
  password: string,
  address: string,
) => Promise<
  | { readonly user: string }
  | { readonly refused: 'wrong' }
  /** Seconds. */
  | { readonly refused: 'limited'; readonly retryAfter: number }
>

/** One sending of a form. */
export interface Submission {
  readonly form: FormEntry
  readonly operation: 'create' | 'update' | 'delete'
  /** Of the resource, null for a new one. */
  readonly id: string | null
  /** The table of a record: the form's, else the one that the request names; null for others, and records of any table. */
  readonly table: string | null
  /** The object `form` as sent. */
  readonly raw: unknown
  /** A program with a token, whom owners of records do not stop. */
  readonly trusted: boolean
}

/** The texts of a form's settings, rendered when they are asked for: most forms that programs send need none. */
export interface FormTexts {
  /** `''` for none. @throws LiquidFault */
  of(setting: Setting | null): Promise<string>
}

/** A form that was saved, or deleted what it was to. */
export interface SubmittedForm {
  readonly kind: 'done'
  /** Of the resource; null for sessions. */
  readonly id: string | null
  readonly texts: FormTexts
  /** What it has changed. */
  readonly changes: () => FieldChanges
}

export type SubmitResult =
  | SubmittedForm
  /** The form's values break its rules. */
  | { readonly kind: 'invalid'; readonly state: FormState; readonly texts: FormTexts }
  /** What was sent has not the form's shape. */
  | { readonly kind: 'malformed'; readonly problem: string }
  /** Not there, or not the visitor's. */
  | { readonly kind: 'missing' }
  /** A policy of the form says so. */
  | { readonly kind: 'forbidden'; readonly status: 403 | 404; readonly policy: string }
  | { readonly kind: 'sent-away'; readonly reply: Reply }
  /** Signing in failed too often. Seconds. */
  | { readonly kind: 'limited'; readonly retryAfter: number }

export const NO_ERRORS: FormErrors = new Map()

/** The state of a form that is shown or sent anew. */
export function freshState(stored: StoredResource | null): FormState {
  return { stored, sent: null, errors: NO_ERRORS }
}

/** Errors of one field. */
export function errorAt(path: string, message: string): FormErrors {
  return new Map([[path, [message]]])
}
