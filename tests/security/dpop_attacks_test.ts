/**
 * The attacks on callers once more, with DPoP on.
 *
 * @module
 */
import "../auth/dpop/turn_on.ts";
import "./address_limit_test.ts";
import "./refusal_order_test.ts";
import "./revoked_test.ts";
import "./rotation_test.ts";
import "./tenants_test.ts";
