/** `jwt_decode_and_set_session`: signs the visitor in with a token from `User.jwt_token`. */
import type { SessionField } from '../model.ts'
import { current_user } from './current_user.ts'

export const jwt_decode_and_set_session: SessionField = {
  kind: 'session',
  name: 'jwt_decode_and_set_session',
  sdl: 'jwt_decode_and_set_session(jwt_algorithm: JwtAlgorithm = HS256, jwt_token: String!): User @deprecated @public',
  perform: ({ jwt_token: token, jwt_algorithm: algorithm }, { session }) =>
    session.signInByToken(String(token), String(algorithm ?? 'HS256')),
  build: (call, build) => current_user.build(call, build),
}
