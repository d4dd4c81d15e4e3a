/**
 * A self-signed certificate for 127.0.0.1 and its key, made for the tests and used nowhere else:
 * nobody trusts it, which is the point.
 */
export const selfSigned = {
	key: [
		'-----BEGIN PRIVATE KEY-----',
		'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSujEGh9BL4COMsHp',
		'/SyEAomonYGAkGGMhgifj8r6+XShRANCAATvs7mapXT1TijZcb2pwBQM06DvYET2',
		'o6paE8z/dlTbdCjFHXevQR9KhL0B25XBp88ZsVQ9nJcRWhLcHwLAaEww',
		'-----END PRIVATE KEY-----',
	].join('\n'),
	cert: [
		'-----BEGIN CERTIFICATE-----',
		'MIIBkDCCATagAwIBAgIUbfuQrLWLkiBRscj1MjRl5l8AhkAwCgYIKoZIzj0EAwIw',
		'FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTAyMTA0M1oYDzIxMjYxMDI4',
		'MDIxMDQzWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO',
		'PQMBBwNCAATvs7mapXT1TijZcb2pwBQM06DvYET2o6paE8z/dlTbdCjFHXevQR9K',
		'hL0B25XBp88ZsVQ9nJcRWhLcHwLAaEwwo2QwYjAdBgNVHQ4EFgQULzWdo4R6Ts/P',
		'efSARDo7PyfxHLYwHwYDVR0jBBgwFoAULzWdo4R6Ts/PefSARDo7PyfxHLYwDwYD',
		'VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC',
		'IQC6Y1ny5EWxj9wvMqop45oV6jMVEoeB3FE83W4t2jyDUgIgJcUNT9TS8udYTPCl',
		'dSFJylmGCchTC0425yhAi+NQ7UM=',
		'-----END CERTIFICATE-----',
	].join('\n'),
};

/** Another one, which was valid on the first day of 2020 only. */
export const expired = {
	key: [
		'-----BEGIN PRIVATE KEY-----',
		'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5s3bZ5TiloEWW71K',
		'V3O5EDJ6QbQk0IvPuFrUYesxvYmhRANCAATIArYXl6yn6X2j93wgvbpfw0+5EXOf',
		'65LKMy8Ktr6j1rozfemch1lw848o1hY+7xYjQ38Vb6tNGzzJABXcDzaN',
		'-----END PRIVATE KEY-----',
	].join('\n'),
	cert: [
		'-----BEGIN CERTIFICATE-----',
		'MIIBWjCCAQCgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAkxMjcuMC4w',
		'LjEwHhcNMjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjAUMRIwEAYDVQQDDAkx',
		'MjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATIArYXl6yn6X2j93wg',
		'vbpfw0+5EXOf65LKMy8Ktr6j1rozfemch1lw848o1hY+7xYjQ38Vb6tNGzzJABXc',
		'DzaNo0MwQTAPBgNVHRMBAf8EBTADAQH/MA8GA1UdEQQIMAaHBH8AAAEwHQYDVR0O',
		'BBYEFPVbFBzAZ4zbImCQO0LPY1CbzexvMAoGCCqGSM49BAMCA0gAMEUCIBUdVKen',
		'Hy2R2aCcSxx+D+CLn7f72IU9xDx7+8aQpM8LAiEAx59D2tAW2IhlpfYrda7ZcWQ4',
		'61Ec/PtcEcprQxCI0kM=',
		'-----END CERTIFICATE-----',
	].join('\n'),
};
