CREATE INDEX `customers_shown` ON `customers` (`environment_id`,`id`) WHERE archived_at IS NULL;--> statement-breakpoint
CREATE INDEX `charges_feature` ON `charges` (`feature_id`) WHERE feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_credit` ON `charges` (`credit_currency_id`) WHERE credit_currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_top_up` ON `charges` (`top_up_currency_id`) WHERE top_up_currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `charges_overage` ON `charges` (`overage_currency_id`) WHERE overage_currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `package_entitlements_of_feature` ON `package_entitlements` (`feature_id`) WHERE feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `package_entitlements_of_currency` ON `package_entitlements` (`currency_id`) WHERE currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `package_entitlements_dependency` ON `package_entitlements` (`dependency_feature_id`) WHERE dependency_feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `package_versions_environment` ON `package_versions` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscription_entitlements_feature` ON `subscription_entitlements` (`feature_id`) WHERE feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_entitlements_currency` ON `subscription_entitlements` (`currency_id`) WHERE currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_quantities_feature` ON `subscription_quantities` (`feature_id`) WHERE feature_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_quantities_currency` ON `subscription_quantities` (`currency_id`) WHERE currency_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `subscription_version_changes_from` ON `subscription_version_changes` (`from_version_id`);--> statement-breakpoint
CREATE INDEX `subscription_version_changes_to` ON `subscription_version_changes` (`to_version_id`);--> statement-breakpoint
CREATE INDEX `subscription_version_changes_package` ON `subscription_version_changes` (`package_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`environment_id`,`status`,`id`,`runs_until`,`cancel_at`);