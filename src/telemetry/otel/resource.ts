/** What everything that is exported says of the process that it comes from. */
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
  type Resource
} from '@opentelemetry/resources'
import { version } from '../../config/version.ts'

/** @param serviceName `service.name` where `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` give none */
export function resourceOf(serviceName: string): Resource {
  const own = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version() })
  const detected = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })
  return defaultResource().merge(own).merge(detected)
}
