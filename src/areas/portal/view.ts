import { toIso, toIsoOrNull } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { getCustomerById } from "../customers/operations";
import { checkoutStatus, subscriptionOf } from "./operations.checkout";
import type { StartedPortal, StartedSession } from "./operations.sessions";
import type { PortalSession } from "./schema";
import type { CheckoutSession, CheckoutStarted } from "./schema.checkout";
import type { CheckoutRow } from "./table";

/** The token follows '#', so browsers send it to no server, log or referrer. */
export const linkTo = (origin: string, page: string, { token }: StartedSession): string => `${origin}/${page}#${token}`;

export const viewPortalSession = (
	{ customer, entityRef, ...started }: StartedPortal,
	origin: string,
): PortalSession => ({
	id: started.session.id,
	customerId: customer.refId,
	url: linkTo(origin, "portal", started),
	token: started.token,
	expiresAt: toIso(started.session.expiresAt),
	...(started.session.budgets !== null && { budgets: started.session.budgets }),
	...(entityRef !== undefined && { entityId: entityRef }),
	...(started.session.personId !== null && { personId: started.session.personId }),
});

export const viewCheckout = (work: Work, checkout: CheckoutRow): CheckoutSession => ({
	id: checkout.id,
	customerId: getCustomerById(work, checkout.customerId).refId,
	planId: checkout.order.planId,
	status: checkoutStatus(checkout, work),
	subscriptionId: subscriptionOf(work, checkout),
	referenceId: checkout.options.referenceId,
	expiresAt: toIso(checkout.expiresAt),
	completedAt: toIsoOrNull(checkout.completedAt),
	createdAt: toIso(checkout.createdAt),
});

export const viewStarted = (
	work: Work,
	{ checkout, ...started }: StartedSession & { readonly checkout: CheckoutRow },
	origin: string,
): CheckoutStarted => ({ ...viewCheckout(work, checkout), url: linkTo(origin, "checkout", started) });
