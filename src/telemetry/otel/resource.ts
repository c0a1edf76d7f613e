/** The resource attributes of everything that a process exports. */
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  type Resource
} from '@opentelemetry/resources'
import { version } from '../../config/version.ts'

/** @param serviceName `service.name`, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` sets it */
export function resourceOf(serviceName: string): Resource {
  const own = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version() })
  const detected = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })
  return defaultResource().merge(own).merge(detected)
}
