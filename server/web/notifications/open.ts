/** Opens the notifications of a process from its settings. */
import { join } from 'node:path'
import { createAddressFilter } from '../../core/net/addresses.ts'
import type { Span } from '../../core/contracts/tracer.ts'
import { createOutgoing, outgoingWithin } from '../../core/net/outgoing.ts'
import { createMailer } from './mailer.ts'
import type { NotificationOptions, Notifications } from './model.ts'
import { createOutbox } from './outbox.ts'
import { createDeliveryRecords } from './delivery-records.ts'

/** Returns the folder for messages that are not sent in development. */
export function outboxFolder(dataFolder: string): string {
  return join(dataFolder, 'outbox')
}

/** Returns the same notifications with requests in a tracing span. A null span changes nothing. */
export function notificationsWithin(notifications: Notifications, span: Span | null): Notifications {
  if (span === null) return notifications
  const { outgoing, trusted } = notifications
  return { ...notifications, outgoing: outgoingWithin(outgoing, span), trusted: outgoingWithin(trusted, span) }
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
