/** Types of mails, text messages, API calls and log entries. */
export const effect = `
"What went wrong, in a sentence."
type BaseError {
  message: String! @public
}

"The template of the site that is sent."
input NotificationTemplateInput {
  name: String!
}

"A mail without a template: its content is HTML, its delay in minutes."
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

"Whether the mail is on its way."
type NotificationSendEmailPayload {
  errors: [BaseError!]! @deprecated @public
  is_scheduled_to_send: Boolean! @public
}

"A text without a template; its delay is in minutes."
input SmsSendInput {
  content: String!
  delay: Int = 0
  to: String!
}

"Whether the text is on its way."
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

"How it is made; the timeout is in seconds."
input ApiCallSendOptions {
  internal: Boolean
  skip_ssl_verification: Boolean
  timeout: Int
}

"What came back; null where nothing did."
type ApiCallSendPayload {
  errors: [BaseError!]! @deprecated @public
  response: Response @public
}

"An answer, whatever its status."
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

"What was written into the log."
type LogEntry {
  id: ID! @public
  message: String! @public
  type: String! @public
}
`
