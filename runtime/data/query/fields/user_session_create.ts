/** `user_session_create`: signs the visitor in with an e-mail address and a password, optionally through a form. */
import { sessionForm } from '../forms.ts'
import type { SessionField } from '../model.ts'
import { current_user } from './current_user.ts'

export const user_session_create: SessionField = {
  kind: 'session',
  name: 'user_session_create',
  sdl: 'user_session_create(email: String, form_configuration_name: String, form_name: String, password: String!, remember_me: String = "1"): User @deprecated @public',
  perform: ({ email, password, remember_me: remember }, { session }) =>
    session.signIn(String(email ?? ''), String(password), !FORGET.has(String(remember ?? '').toLowerCase())),
  form: sessionForm,
  build: current_user.build,
}

/** The values that an unchecked checkbox may have. */
const FORGET: ReadonlySet<string> = new Set(['', '0', 'false', 'f', 'no', 'off'])
