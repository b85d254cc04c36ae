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
