/** `user_session_destroy`: signs the visitor out. */
import type { SessionField } from '../model.ts'

export const user_session_destroy: SessionField = {
  kind: 'session',
  name: 'user_session_destroy',
  sdl: 'user_session_destroy(form_configuration_name: String, form_name: String): HashObject @deprecated @public',
  perform: async (_args, { session }) => {
    await session.signOut()
    return {}
  },
}
