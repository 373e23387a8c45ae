import type { Work } from "../../kernel/work";
import { existsOfProduct } from "./store.catalogue";

// What the catalogue asks of subscriptions before it changes. It comes before them, so its routes hand these in.

/** Whether the product (its row id) was ever subscribed to, running or not. */
export const hasSubscriptions = (work: Work, productId: string): boolean => existsOfProduct(work, productId);
