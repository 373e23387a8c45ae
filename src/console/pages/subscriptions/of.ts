import type { Subscription } from "../../../areas/subscriptions/schema";

export interface OfSubscription {
	readonly subscription: Subscription;
}

export const pathOf = ({ id }: Subscription): string => `/subscriptions/${encodeURIComponent(id)}`;
