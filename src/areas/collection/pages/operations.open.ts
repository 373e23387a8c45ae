import type { Actor, Cause } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { waitForCall } from "../calls/wait";
import { getPage } from "./operations";
import type { MethodPage, MethodSetup } from "./schema";
import { viewPageOf } from "./view";

/**
 * Opens a page of the provider on which the customer saves a payment method. Throws the errors of `planPage`, and PaymentProviderError if
 * the provider rejects the call.
 */
export async function openMethodPage(
	services: Services,
	actor: Actor,
	cause: Cause,
	customerRef: string,
	setup: MethodSetup,
): Promise<MethodPage> {
	const { callId, pageId } = await services.write(actor, "planMethodPage", { customerRef, setup, cause });
	await waitForCall(services, actor, callId);
	return services.transactions.read(actor, (work) => viewPageOf(getPage(work, customerRef, pageId)));
}
