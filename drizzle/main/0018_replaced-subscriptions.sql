ALTER TABLE `credit_notes` ADD `missing_rate_to` text;--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `discount_percent` text;--> statement-breakpoint
ALTER TABLE `invoices` ADD `missing_rate_to` text;--> statement-breakpoint
ALTER TABLE `invoices` ADD `discount_percent` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `replaces_id` text;--> statement-breakpoint
UPDATE subscriptions AS it SET replaces_id = (SELECT id FROM subscriptions AS ended
WHERE ended.customer_id = it.customer_id AND ended.status = 'CANCELED' AND ended.product_id = it.product_id
AND ended.cancel_reason = 'UPGRADE_OR_DOWNGRADE' AND ended.ended_at IN (it.start_at, it.created_at) AND ended.id <> it.id
ORDER BY ended.resource_id IS it.resource_id DESC, ended.id DESC LIMIT 1);--> statement-breakpoint
ALTER TABLE `contract_billed_cycles` ADD `is_elsewhere` integer DEFAULT false NOT NULL;