/**
 * The attacks on tokens once more, with DPoP on and under either scheme.
 *
 * @module
 */
import "./turn_on.ts";
import "../authenticator_test.ts";
import "../claims_test.ts";
import "../introspection_test.ts";
import "../jwt_test.ts";
