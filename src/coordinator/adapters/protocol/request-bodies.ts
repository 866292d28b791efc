/** Input of an access control call; `request` is the last provisioned COMPONENT_DESCRIPTOR as JSON text. */
export interface UpdateAclInput {
  /** The complete requested set, `user:…` and `group:…`; empty revokes everything. */
  refs: string[];
  request: string;
  /** The final provisioning status of the component, as JSON text. */
  result: string;
  accessControlFields?: object;
}

/** Body of POST /v1/updateacl. */
export function updateAclBody(input: UpdateAclInput): string {
  const { refs, request, result, accessControlFields } = input;
  return JSON.stringify({ refs, provisionInfo: { request, result }, accessControlFields });
}

export interface ReverseProvisioningInput {
  useCaseTemplateId: string;
  environment: string;
  params?: object;
  catalogInfo?: object;
}

/** Body of POST /v1/reverse-provisioning. */
export function reverseProvisioningBody(input: ReverseProvisioningInput): string {
  const { useCaseTemplateId, environment, params, catalogInfo } = input;
  return JSON.stringify({ useCaseTemplateId, environment, params, catalogInfo });
}
