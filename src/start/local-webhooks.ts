/** The settings with which `npm start` lets webhooks reach a receiver on a developer's machine. */
import type { Config } from '../platform/config/config.ts'

type Rules = { WEBHOOK_ALLOW_HTTP?: string; WEBHOOK_PRIVATE_NETWORKS?: string }

/**
 * Variables that allow webhooks to http://127.0.0.1, and to no other private address. Empty if networks are
 * configured, or if other machines may reach the service, because those machines must not get access to local
 * ports.
 */
export function localWebhooks(
  config: Pick<Config, 'HOST' | 'PUBLIC_URL' | 'TRUSTED_PROXIES' | 'WEBHOOK_PRIVATE_NETWORKS'>,
): Rules {
  const hosts = [config.HOST, new URL(config.PUBLIC_URL).hostname]
  const isLocal = hosts.every((host) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host))
  if (!isLocal || config.TRUSTED_PROXIES || config.WEBHOOK_PRIVATE_NETWORKS) return {}
  return { WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_PRIVATE_NETWORKS: '127.0.0.1' }
}
