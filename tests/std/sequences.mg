mg 1
// made by make_cases.py
graph sequences(x0: f32[3, 4],
    x1: f32[5, 3, 2],
    x2: f32[16, 2],
    x3: f32[16, 4],
    x4: f32[32],
    x5: i32[3],
    x6: f32[3, 4],
    x7: f32[3, 4],
    x8: f32[12],
    x9: f32[12, 2],
    x10: f32[12, 4],
    x11: f32[24],
    x12: f32[4, 2],
    x13: f32[4, 4],
    x14: f32[8],
    x15: f32[3, 5, 2],
    x16: i64[3])
-> (activate_sigmoid: f32[3, 4],
    activate_tanh: f32[3, 4],
    activate_relu: f32[3, 4],
    activate_affine: f32[3, 4],
    activate_leaky_relu: f32[3, 4],
    activate_thresholded_relu: f32[3, 4],
    activate_scaled_tanh: f32[3, 4],
    activate_hard_sigmoid: f32[3, 4],
    activate_elu: f32[3, 4],
    activate_softsign: f32[3, 4],
    activate_softplus: f32[3, 4],
    lstm_0: f32[5, 3, 4],
    lstm_1: f32[3, 4],
    lstm_2: f32[3, 4],
    lstm_bias_0: f32[5, 3, 4],
    lstm_bias_1: f32[3, 4],
    lstm_bias_2: f32[3, 4],
    lstm_all_0: f32[5, 3, 4],
    lstm_all_1: f32[3, 4],
    lstm_all_2: f32[3, 4],
    lstm_reverse_0: f32[5, 3, 4],
    lstm_reverse_1: f32[3, 4],
    lstm_reverse_2: f32[3, 4],
    lstm_reverse_full_0: f32[5, 3, 4],
    lstm_reverse_full_1: f32[3, 4],
    lstm_reverse_full_2: f32[3, 4],
    lstm_clip_0: f32[5, 3, 4],
    lstm_clip_1: f32[3, 4],
    lstm_clip_2: f32[3, 4],
    lstm_activations_0: f32[5, 3, 4],
    lstm_activations_1: f32[3, 4],
    lstm_activations_2: f32[3, 4],
    gru_false_0: f32[5, 3, 4],
    gru_false_1: f32[3, 4],
    gru_all_false_0: f32[5, 3, 4],
    gru_all_false_1: f32[3, 4],
    gru_reverse_false_0: f32[5, 3, 4],
    gru_reverse_false_1: f32[3, 4],
    gru_true_0: f32[5, 3, 4],
    gru_true_1: f32[3, 4],
    gru_all_true_0: f32[5, 3, 4],
    gru_all_true_1: f32[3, 4],
    gru_reverse_true_0: f32[5, 3, 4],
    gru_reverse_true_1: f32[3, 4],
    rnn_0: f32[5, 3, 4],
    rnn_1: f32[3, 4],
    rnn_all_0: f32[5, 3, 4],
    rnn_all_1: f32[3, 4],
    rnn_reverse_0: f32[5, 3, 4],
    rnn_reverse_1: f32[3, 4],
    sequence_inputs: f32[5, 3, 4],
    scan_order: f32[5, 3, 2],
    while_lasting: f32[3, 4],
    reverse_sequence: f32[5, 3, 2],
    reverse_sequence_1: f32[3, 5, 2])
{
    activate_sigmoid = activate(x0, by = "sigmoid", alpha = 0.3, beta = 0.6)
    activate_tanh = activate(x0, by = "tanh", alpha = 0.3, beta = 0.6)
    activate_relu = activate(x0, by = "relu", alpha = 0.3, beta = 0.6)
    activate_affine = activate(x0, by = "affine", alpha = 0.3, beta = 0.6)
    activate_leaky_relu = activate(x0, by = "leaky_relu", alpha = 0.3, beta = 0.6)
    activate_thresholded_relu = activate(x0, by = "thresholded_relu", alpha = 0.3, beta = 0.6)
    activate_scaled_tanh = activate(x0, by = "scaled_tanh", alpha = 0.3, beta = 0.6)
    activate_hard_sigmoid = activate(x0, by = "hard_sigmoid", alpha = 0.3, beta = 0.6)
    activate_elu = activate(x0, by = "elu", alpha = 0.3, beta = 0.6)
    activate_softsign = activate(x0, by = "softsign", alpha = 0.3, beta = 0.6)
    activate_softplus = activate(x0, by = "softplus", alpha = 0.3, beta = 0.6)
    lstm_0, lstm_1, lstm_2 = lstm_sequence(x1, x2, x3)
    lstm_bias_0, lstm_bias_1, lstm_bias_2 = lstm_sequence(x1, x2, x3, x4)
    lstm_all_0, lstm_all_1, lstm_all_2 = lstm_sequence(x1, x2, x3, x4, x5, x6, x7, x8)
    lstm_reverse_0, lstm_reverse_1, lstm_reverse_2 = lstm_sequence(x1, x2, x3, x4, x5, x6, x7, x8, reverse = true)
    lstm_reverse_full_0, lstm_reverse_full_1, lstm_reverse_full_2 = lstm_sequence(x1, x2, x3, x4, reverse = true)
    lstm_clip_0, lstm_clip_1, lstm_clip_2 = lstm_sequence(x1, x2, x3, x4, x5, x6, x7, x8, clip = 0.4, coupled = true)
    lstm_activations_0, lstm_activations_1, lstm_activations_2 = lstm_sequence(x1, x2, x3, x4, x5, x6, x7, x8, f = "hard_sigmoid", f_alpha = 0.2, f_beta = 0.5, g = "elu", g_alpha = 0.7, h = "leaky_relu", h_alpha = 0.1)
    gru_false_0, gru_false_1 = gru_sequence(x1, x9, x10, reset_after = false)
    gru_all_false_0, gru_all_false_1 = gru_sequence(x1, x9, x10, x11, x5, x6, reset_after = false)
    gru_reverse_false_0, gru_reverse_false_1 = gru_sequence(x1, x9, x10, x11, x5, x6, reset_after = false, reverse = true, clip = 0.5, f = "softsign", g = "affine", g_alpha = 0.5, g_beta = 0.1)
    gru_true_0, gru_true_1 = gru_sequence(x1, x9, x10, reset_after = true)
    gru_all_true_0, gru_all_true_1 = gru_sequence(x1, x9, x10, x11, x5, x6, reset_after = true)
    gru_reverse_true_0, gru_reverse_true_1 = gru_sequence(x1, x9, x10, x11, x5, x6, reset_after = true, reverse = true, clip = 0.5, f = "softsign", g = "affine", g_alpha = 0.5, g_beta = 0.1)
    rnn_0, rnn_1 = rnn_sequence(x1, x12, x13)
    rnn_all_0, rnn_all_1 = rnn_sequence(x1, x12, x13, x14, x5, x6)
    rnn_reverse_0, rnn_reverse_1 = rnn_sequence(x1, x12, x13, x14, x5, x6, f = "thresholded_relu", f_alpha = 0.2, clip = 1, reverse = true)
    sequence_inputs = sequence_inputs(x1, x12, x14)
    scan_order = scan_order(x1, x5, reverse = true)
    while_lasting = while_lasting(2, x6, x7, x5)
    reverse_sequence = reverse_sequence(x1, x5)
    reverse_sequence_1 = reverse_sequence(x15, x16, axis = 1)
}
