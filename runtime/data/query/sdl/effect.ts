/** Types of mails, text messages, API calls and log entries. */
export const effect = `
"An error, described in a sentence."
type BaseError {
  message: String! @public
}

"The template of the site to send."
input NotificationTemplateInput {
  name: String!
}

"A mail without a template. The content is HTML, and the delay is in minutes."
input NotificationEmailInput {
  bcc: [String!]
  cc: [String!]
  content: String!
  delay: Int
  from: String!
  reply_to: [String!]
  subject: String!
  to: [String!]!
}

"Whether the mail was queued."
type NotificationSendEmailPayload {
  errors: [BaseError!]! @deprecated @public
  is_scheduled_to_send: Boolean! @public
}

"A text message without a template. The delay is in minutes."
input SmsSendInput {
  content: String!
  delay: Int = 0
  to: String!
}

"Whether the text message was queued."
type SmsSendPayload {
  errors: [BaseError!]! @deprecated @public
  is_scheduled_to_send: Boolean! @public
}

"A call of another service."
input ApiCallSendRequestInput {
  body: String
  headers: HashObject
  method: String!
  url: String!
}

"Options of a call. The timeout is in seconds."
input ApiCallSendOptions {
  internal: Boolean
  skip_ssl_verification: Boolean
  timeout: Int
}

"The response; null when there was none."
type ApiCallSendPayload {
  errors: [BaseError!]! @deprecated @public
  response: Response @public
}

"A response of any status."
type Response {
  body: String @public
  headers: HashObject @public
  status: Int! @public
}

enum LogEntryType {
  debug
  error
  info
}

"An entry of the log."
type LogEntry {
  id: ID! @public
  message: String! @public
  type: String! @public
}
`
