import { queryOptions } from '@tanstack/react-query'
import { call } from '../../app/client.ts'

export const profileQuery = queryOptions({ queryKey: ['profile'], queryFn: () => call('getProfile') })
export const storageQuery = queryOptions({ queryKey: ['storage'], queryFn: () => call('getStorage') })
export const notificationMailsQuery = queryOptions({
  queryKey: ['notification-mails'],
  queryFn: () => call('getNotificationMails'),
})
export const tokensQuery = queryOptions({ queryKey: ['tokens'], queryFn: () => call('listPersonalTokens') })
export const connectedAppsQuery = queryOptions({
  queryKey: ['connected-apps'],
  queryFn: () => call('listConnectedApps'),
})

/** The webhooks of the user and, for an administrator, of the organization. */
export const webhooksQuery = queryOptions({ queryKey: ['webhooks'], queryFn: () => call('listWebhooks') })

/** The newest deliveries to a webhook. They are read again while one is on its way. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries'],
    queryFn: () => call('listWebhookDeliveries', { params: { id } }),
    refetchInterval: 5000,
  })
