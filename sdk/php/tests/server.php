<?php

// For e2e/scenarios/sdk/sdks-of-other-languages.e2e.ts: POST /verify runs one call of `verify`, and
// POST /form one of `verifyRequest` with the settings of the environment.

declare(strict_types=1);

require __DIR__ . '/../src/Stile.php';

use Stile\Stile;

header('Content-Type: application/json');
try {
    if ($_SERVER['REQUEST_URI'] === '/form') {
        $stile = new Stile(secretKey: getenv('STILE_SECRET'), baseUrl: getenv('SERVICE_URL'));
        $verification = (array) $stile->verifyRequest();
        $json = json_decode(file_get_contents('php://input'), true);
        echo json_encode([...$verification, 'email' => $_POST['email'] ?? $json['email'] ?? null]);
    } else {
        $case = json_decode(file_get_contents('php://input') ?: '{}', true);
        $stile = new Stile(...$case['options'] ?? []);
        echo json_encode($stile->verify($case['token'] ?? null, ...$case['visitor'] ?? []));
    }
} catch (InvalidArgumentException $error) {
    echo json_encode(['error' => $error->getMessage()]);
}
