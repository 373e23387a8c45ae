CREATE TABLE `subscription_credits` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`currency_id` text NOT NULL,
	`source_type` text NOT NULL,
	`addon_ref` text NOT NULL,
	`cycle` text NOT NULL,
	`period_start` integer NOT NULL,
	`granted` text NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_credits_of` ON `subscription_credits` (`subscription_id`,`currency_id`,`source_type`,`addon_ref`,`cycle`);--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `credits_due_at` integer;--> statement-breakpoint
UPDATE subscriptions SET credits_due_at = (SELECT coalesce(clock_at, unixepoch() * 1000) FROM environments WHERE id = environment_id)
WHERE status IN ('ACTIVE', 'IN_TRIAL') AND (
id IN (SELECT subscription_id FROM subscription_entitlements WHERE currency_id IS NOT NULL)
OR id IN (SELECT subscription_id FROM subscription_quantities WHERE currency_id IS NOT NULL)
OR id IN (SELECT subscription_id FROM subscription_addons JOIN package_entitlements USING (version_id) WHERE currency_id IS NOT NULL)
OR version_id IN (SELECT version_id FROM package_entitlements WHERE currency_id IS NOT NULL)
OR version_id IN (SELECT id FROM package_versions WHERE parent_id IS NOT NULL));
--> statement-breakpoint
UPDATE subscriptions SET next_due_at = min(coalesce(next_due_at, credits_due_at), credits_due_at) WHERE credits_due_at IS NOT NULL AND problem IS NULL;