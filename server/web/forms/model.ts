/** Types for submitting forms: the submission and its result. */
import type { FieldChanges } from '../../../runtime/data/forms/index.ts'
import type { FormErrors, FormState, StoredResource } from '../../../runtime/data/forms/model.ts'
import type { Services } from '../../../runtime/page/services.ts'
import type { Catalog } from '../../../runtime/data/query/model.ts'
import type { FormEntry, Setting } from '../../../runtime/page/site.ts'
import type { Files } from '../files/model.ts'
import type { Reply } from '../http/message.ts'
import type { SiteHost } from '../site/host.ts'

/** The dependencies of form submissions. One object exists per loaded site. */
export interface FormDependencies {
  readonly host: SiteHost
  readonly catalog: Catalog
  /** Null without a file store. Forms then refuse files. */
  readonly files: Files | null
  readonly challenge: Services['challenge']
  /**
   * Hashes a password.
   * @throws Crowded
   */
  readonly hashPassword: (password: string, network: string | null) => Promise<string>
  readonly signIn: SignIn
}

/**
 * Checks an email address and a password sent from a visitor's IP address. Takes the same time whether the user exists
 * or not.
 * @param device the visitor's device cookie
 */
type SignIn = (
  email: string,
  password: string,
  address: string,
  device: string | null,
) => Promise<
  | { readonly user: string }
  | { readonly refused: 'wrong' }
  /** In seconds. */
  | { readonly refused: 'limited'; readonly retryAfter: number }
>

/** One submission of a form. */
export interface Submission {
  readonly form: FormEntry
  readonly operation: 'create' | 'update' | 'delete'
  /** Id of the resource; null for a new one. */
  readonly id: string | null
  /**
   * The table of a record: the form's table, or else the table in the request. Null for other resources and for records
   * of any table.
   */
  readonly table: string | null
  /** The submitted object `form`, unchecked. */
  readonly raw: unknown
  /** Whether a template or an API client submits the form. Then the owner of a record is not checked. */
  readonly trusted: boolean
}

/** The texts of a form's settings. They are rendered on demand, because most submissions by API clients need none. */
export interface FormTexts {
  /**
   * Renders a setting. Null renders to `''`.
   * @throws LiquidFault
   */
  render(setting: Setting | null): Promise<string>
}

/** A form that was saved, or whose resource was deleted. */
export interface SubmittedForm {
  readonly kind: 'done'
  /** Id of the resource; null for sessions. */
  readonly id: string | null
  readonly texts: FormTexts
  /** The changed fields. */
  readonly changes: () => FieldChanges
}

export type SubmitResult =
  | SubmittedForm
  /** The values fail the form's validations. */
  | { readonly kind: 'invalid'; readonly state: FormState; readonly texts: FormTexts }
  /** The input does not have the shape of the form. */
  | { readonly kind: 'malformed'; readonly problem: string }
  /** The resource does not exist or belongs to another user. */
  | { readonly kind: 'missing' }
  /** A policy of the form forbids the submission. */
  | { readonly kind: 'forbidden'; readonly status: 403 | 404; readonly policy: string; readonly reason: string }
  /** A policy sends the visitor elsewhere, for example to a sign-in page. */
  | { readonly kind: 'sent-away'; readonly reply: Reply }
  /** The request for a sign-in came from a page of another site. */
  | { readonly kind: 'foreign' }
  /** There were too many failed sign-ins, sign-ups or waiting password checks. `retryAfter` is in seconds. */
  | { readonly kind: 'limited'; readonly retryAfter: number }

/** The errors of a form without errors. */
export const NO_ERRORS: FormErrors = new Map()

/** Returns the state of a form that is shown or submitted for the first time. */
export function freshState(storedResource: StoredResource | null): FormState {
  return { storedResource, sentValues: null, errors: NO_ERRORS }
}

/** Creates the errors of one field. */
export function singleError(path: string, message: string): FormErrors {
  return new Map([[path, [message]]])
}
