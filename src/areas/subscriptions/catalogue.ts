import type { Work } from "../../kernel/work";
import { versionsRelyingOn } from "../packages/operations.uses";
import { existsOfProduct, existsRunningOn, existsRunningWith } from "./store.catalogue";

// What the catalogue asks of subscriptions before it changes. It comes before them, so its routes hand these in.

/** Whether the product (its row id) was ever subscribed to, running or not. */
export const hasSubscriptions = (work: Work, productId: string): boolean => existsOfProduct(work, productId);

/** Whether a running subscription has the feature (its row id): by its plan, a base plan, an addon, or by itself. */
export const isFeatureInUse = (work: Work, featureId: string): boolean =>
	existsRunningOn(work, versionsRelyingOn(work, featureId)) || existsRunningWith(work, featureId);
