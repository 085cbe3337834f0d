/** Opens the notifications of a process from its settings. */
import { join } from 'node:path'
import { createAddressFilter } from '../../core/net/addresses.ts'
import type { Recording } from '../../core/contracts/recording.ts'
import type { Span } from '../../core/contracts/tracer.ts'
import { createOutgoing, outgoingWithin } from '../../core/net/outgoing.ts'
import { createMailer } from './mailer.ts'
import type { DeliveryRecords, NotificationOptions, Notifications } from './model.ts'
import { createOutbox } from './outbox.ts'
import { createDeliveryRecords } from './delivery-records.ts'

/** Returns the folder for messages that are not sent in development. */
export function outboxFolder(dataFolder: string): string {
  return join(dataFolder, 'outbox')
}

/** Returns the same notifications with requests in a tracing span. A null span changes nothing. */
export function notificationsWithin(notifications: Notifications, span: Span | null): Notifications {
  if (span === null) return notifications
  const { outgoing, trusted, deliveries } = notifications
  const { recording } = span
  return {
    ...notifications,
    outgoing: outgoingWithin(outgoing, span),
    trusted: outgoingWithin(trusted, span),
    deliveries: recording === null ? deliveries : recordedDeliveries(deliveries, recording),
  }
}

function recordedDeliveries(deliveries: DeliveryRecords, recording: Recording): DeliveryRecords {
  return {
    find: (id) => deliveries.find(id),
    skip: (skipped) =>
      recording.message({ ...skipped, to: null, subject: null, state: 'not sent', job: null, error: null }),
    record(sent) {
      const { channel, name, content, error } = sent
      const state = error === null ? 'sent' : 'failed'
      const [to, subject] = [content['to'], content['subject']].map(textOf)
      recording.message({ channel, name, to: to ?? null, subject: subject ?? null, state, job: null, error })
      return deliveries.record(sent)
    },
  }
}

function textOf(value: unknown): string | null {
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : null
}

/**
 * Opens the notifications without connecting to any server.
 * @throws StartError
 */
export function openNotifications(options: NotificationOptions): Notifications {
  const { environment, delivery, dataFolder, sql, files, logger } = options
  const { originOverrides = {}, measures = null } = options
  const outgoing = createOutgoing({ guard: createAddressFilter(options.outgoing), originOverrides, measures })
  // These hosts come from the operator's settings, so no address filter applies.
  const trusted = createOutgoing({ guard: () => true, originOverrides, measures })
  const mailer = delivery.smtpUrl === null ? null : createMailer({ url: delivery.smtpUrl })
  return {
    environment,
    delivery,
    outgoing,
    trusted,
    mailer,
    outbox: createOutbox(outboxFolder(dataFolder)),
    deliveries: createDeliveryRecords(sql, logger),
    files,
    logger,
    async close() {
      outgoing.close()
      trusted.close()
      mailer?.close()
    },
  }
}
