import { type Static, Type } from "@sinclair/typebox";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { literals, Metadata, nullable, RefId, Timestamp } from "../../kernel/schema";
import { PaymentCollection, LatestInvoice } from "../invoices/schema";
import { EntitlementRef, PricingType } from "../packages/schema";

export const SubscriptionStatus = literals("PAYMENT_PENDING", "ACTIVE", "EXPIRED", "IN_TRIAL", "CANCELED", "NOT_STARTED");
