/** The part of the configuration that writing endpoints needs. */
import { type Config, openingKeys, outgoingRules } from '../../../platform/config/config.ts'
import { urlFault } from '../../../platform/outgoing/address-rules.ts'
import type { EndpointSettings } from './service.ts'

type SettingsConfig = Parameters<typeof outgoingRules>[0] & Pick<Config, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>

/** @param secretKeys the keys that encrypt secrets; by default those of the configuration. */
export function endpointSettings(config: SettingsConfig, secretKeys = openingKeys(config)): EndpointSettings {
  const rules = outgoingRules(config)
  return {
    urlFault: (url) => urlFault(url, rules),
    secretKeys: secretKeys.length > 0 ? secretKeys : null,
  }
}
