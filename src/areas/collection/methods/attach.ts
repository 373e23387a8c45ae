import type { Actor, Cause } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { getCustomer } from "../../customers/operations";
import { waitForCall } from "../calls/wait";
import { findDefault } from "./operations";
import type { MethodAttach, PaymentMethod } from "./schema";
import { viewMethod } from "./view";

/**
 * Makes a payment method of the provider the customer's default, once the provider has described it. Throws the errors of
 * `planAttachment`, PaymentMethodNotFoundError, and PaymentProviderError if the provider rejects the call.
 */
export async function attachMethod(
	services: Services,
	actor: Actor,
	cause: Cause,
	customerRef: string,
	attach: MethodAttach,
): Promise<PaymentMethod> {
	const callId = await services.write(actor, "planMethodAttachment", { customerRef, attach, cause });
	await waitForCall(services, actor, callId);
	return services.transactions.read(actor, (work) => {
		const customer = getCustomer(work, customerRef);
		return viewMethod(findDefault(work, customer), customer);
	});
}
