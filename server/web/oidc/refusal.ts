/** Why a visitor could not sign in with a provider: a word for the site's page, and a sentence in general words for visitors. */

/** The reasons, in the parameter `message` of `/auth/failure`, with what the visitor reads about them. */
const REASONS = {
  cancelled: 'You did not sign in there, or did not allow it.',
  expired: 'This sign-in has expired, or was used already. Please try again.',
  unavailable: 'The service for signing in cannot be reached right now. Please try again later.',
  invalid: 'The answer of the service for signing in could not be verified.',
  email_missing: 'The service for signing in sent no e-mail address that can be used here.',
  email_taken: 'There is an account with your e-mail address already. Sign in to it first, then link it.',
  email_unverified:
    'There is an account with your e-mail address already, and the service for signing in has not verified that the address is yours.',
  other_user: 'This account of the other service belongs to another user of this site.',
  other_identity: 'Your account is already linked to another account of this service. Remove that link first.',
  user_changed: 'You signed in or out in the meantime, or came from another site. Please try again.',
} as const

export type Reason = keyof typeof REASONS

/** Returns what visitors read about a reason. Every other text, which anyone may have written, gets a general sentence. */
export function sentenceOf(reason: unknown): string {
  return typeof reason === 'string' && isReason(reason) ? REASONS[reason] : 'Please try again.'
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(REASONS, text)
}

/** A sign-in was refused. The message says exactly why, for the log; it contains no tokens and no secrets. */
export class SignInRefusal extends Error {
  override readonly name = 'SignInRefusal'
  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message)
  }
}
