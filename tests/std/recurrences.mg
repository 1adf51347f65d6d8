mg 1
// made by make_cases.py
graph recurrences(x0: f32[4, 2, 3],
    x1: f32[8, 3],
    x2: f32[8],
    x3: f32[2, 3],
    x4: f32[2, 2],
    x5: f32[2, 2],
    x6: f32[8, 2],
    x7: f32[8],
    x8: f32[2, 8],
    x9: f32[6, 3],
    x10: f32[6, 2],
    x11: f32[6],
    x12: f32[6],
    x13: f32[2, 6],
    x14: f32[2, 3],
    x15: f32[2, 2],
    x16: f32[2],
    x17: f32[2],
    x18: f32[2, 2])
-> (gate_inputs: f32[4, 2, 8],
    lstm_cell_0: f32[2, 2],
    lstm_cell_1: f32[2, 2],
    lstm_step_0: f32[2, 2],
    lstm_step_1: f32[2, 2],
    lstm_0: f32[4, 2, 2],
    lstm_1: f32[2, 2],
    lstm_2: f32[2, 2],
    lstm_bare_0: f32[4, 2, 2],
    lstm_bare_1: f32[2, 2],
    lstm_bare_2: f32[2, 2],
    lstm_reverse_0: f32[4, 2, 2],
    lstm_reverse_1: f32[2, 2],
    lstm_reverse_2: f32[2, 2],
    gru_cell: f32[2, 2],
    gru_step: f32[2, 2],
    gru_0: f32[4, 2, 2],
    gru_1: f32[2, 2],
    gru_before_0: f32[4, 2, 2],
    gru_before_1: f32[2, 2],
    gru_reverse_0: f32[4, 2, 2],
    gru_reverse_1: f32[2, 2],
    rnn_cell: f32[2, 2],
    rnn_step: f32[2, 2],
    rnn_0: f32[4, 2, 2],
    rnn_1: f32[2, 2],
    rnn_relu_0: f32[4, 2, 2],
    rnn_relu_1: f32[2, 2])
{
    gate_inputs = gate_inputs(x0, x1, x2)
    lstm_cell_0, lstm_cell_1 = lstm_cell(x3, x4, x5, x1, x6, x2, x7)
    lstm_step_0, lstm_step_1 = lstm_step(x8, x4, x5, x6, x7)
    lstm_0, lstm_1, lstm_2 = lstm(x0, x4, x5, x1, x6, x2, x7)
    lstm_bare_0, lstm_bare_1, lstm_bare_2 = lstm(x0, x4, x5, x1, x6)
    lstm_reverse_0, lstm_reverse_1, lstm_reverse_2 = lstm(x0, x4, x5, x1, x6, x2, x7, reverse = true)
    gru_cell = gru_cell(x3, x4, x9, x10, x11, x12)
    gru_step = gru_step(x13, x4, x10, x12)
    gru_0, gru_1 = gru(x0, x4, x9, x10, x11, x12)
    gru_before_0, gru_before_1 = gru(x0, x4, x9, x10, x11, x12, reset_after = false)
    gru_reverse_0, gru_reverse_1 = gru(x0, x4, x9, x10, x11, x12, reverse = true)
    rnn_cell = rnn_cell(x3, x4, x14, x15, x16, x17)
    rnn_step = rnn_step(x18, x4, x15, x17)
    rnn_0, rnn_1 = rnn(x0, x4, x14, x15, x16, x17)
    rnn_relu_0, rnn_relu_1 = rnn(x0, x4, x14, x15, x16, x17, nonlinearity = "relu", reverse = true)
}
