/** The validators of the authentication service, usable anywhere without Express or Appwrite. */
export { validateSignupEmail, type SignupEmailConfig } from './services/auth/address/signup-email.js';
export type { DomainValidation } from './services/auth/address/domain-rule.js';
export {
  validateMagicUrlLogin,
  validateUserId,
  type MagicUrlLogin,
} from './services/auth/magic-url-login.js';
export { checkRequestBody } from './services/auth/request-body.js';
